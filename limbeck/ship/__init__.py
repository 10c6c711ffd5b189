"""The shipper: empties the spool into the queue, and completes what only this machine's disk can tell."""

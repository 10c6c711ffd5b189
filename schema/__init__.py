"""What is true: records, ids, tables, row security, migrations."""

"""Visits: a person signed in with a browser. (A session is an agent's.)"""

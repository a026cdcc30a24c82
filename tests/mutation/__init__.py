"""Mutation testing of the driver: errors planted one at a time, and whether a test fails with each."""

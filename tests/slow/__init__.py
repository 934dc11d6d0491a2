"""The slow proofs: `make test-all` runs them."""

-- The processor tells what became of a card by its own name for it, and not whose it is.
create index payment_methods_by_name on payment_methods (env, payment_method_id) where detached_at is null;

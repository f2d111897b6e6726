-- What is held of a scene is looked up when it is ordered again.
create index order_captures_scene on order_captures (organization_id, scene_id) where delivered_at is not null;

-- The policy of the products when the order was placed: the status from which on it cannot be cancelled, and what a
-- cancellation costs once the host has accepted the order.
alter table orders
  add column cancellable_until text not null default 'PLACED'
    check (cancellable_until in ('PLACED', 'BEING_FULFILLED')),
  add column cancel_fee_credits bigint not null default 0
    check (cancel_fee_credits between 0 and total_credits);

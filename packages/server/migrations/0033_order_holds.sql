-- An order is written before the money that pays for it is locked, in one transaction: its hold is looked for when that ends.
alter table orders
  alter constraint orders_organization_id_hold_id_fkey deferrable initially deferred;

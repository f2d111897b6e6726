-- When an order wants to be looked at again, because one of its hosts is still working; null while it does not wait for one.

alter table orders add column ask_at timestamptz;

-- Tax documents are numbered by their seller and series, whoever buys: a document is written without a number in the
-- transaction of its cause, and gets the next number of its series in a second one.
create table document_series (
  seller text not null,
  series text not null,
  last_sequence bigint not null check (last_sequence > 0),
  primary key (seller, series)
);
select swath_shared_table('document_series', 'select, insert, update');

-- Documents with a series but without a sequence wait for their number. Earlier documents have neither and keep their numbers.
alter table invoices
  add column seller text,
  add column series text,
  add column sequence bigint check (sequence > 0);
alter table invoices alter column number drop not null;
-- Two sellers may give the same number to one buyer.
alter table invoices drop constraint invoices_organization_id_number_key;
create unique index invoices_of_number on invoices (organization_id, coalesce(seller, ''), number) where number is not null;
create index invoices_of_series on invoices (organization_id, series, sequence);

create or replace function refuse_rewriting() returns trigger language plpgsql as $$
declare
  changing text[] := case when old.number is null then '{status,paid_at,number,sequence}' else '{status,paid_at}' end::text[];
begin
  if to_jsonb(new) - changing is distinct from to_jsonb(old) - changing then
    raise exception 'what % says is never changed', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Printed on the documents of an organization.
alter table organizations add column purchase_order_number text;

-- Leases are counted on the clock of the processes, since that of a sandbox jumps while a process works. Until its lease ends, no other
-- process begins an attempt at a delivery or an e-mail; when it is due is still a time of the organization. The previous version, which
-- writes no lease, is kept away by that.
alter table event_deliveries add column lease_until timestamptz;
alter table emails add column lease_until timestamptz;
comment on column processing_jobs.lease_until is 'By the clock of the processes: when the worker is taken to be dead.';

-- The last advance of the clock of a sandbox, which may go on after the call that began it: to which time, and at how many due times the
-- clock has stopped. It goes on while its lease lasts.
alter table sandboxes
  add column advance_target timestamptz,
  add column advance_steps integer not null default 0;

-- How often the process of the server ended while it worked on a job, other than by a stop: the next attempt then runs alone in a
-- process of its own.
alter table processing_jobs add column lost_attempts integer not null default 0;

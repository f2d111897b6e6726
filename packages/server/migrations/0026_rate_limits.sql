-- What has been counted against each limit by all processes together. A window is cut into 20 slots of equal length; a row holds the counts
-- of its newest slot and of the 20 before it, so that nothing is forgotten before a whole window is over. Unlogged, because after a crash
-- every window may begin anew. No index but the key: then an update stays on its page.
create unlogged table rate_limit_counts (
  bucket text collate "C" primary key,
  slot bigint not null,
  -- The newest slot first.
  counts integer[] not null,
  -- From then on the row says nothing.
  expires_at timestamptz not null
) with (fillfactor = 60);
select swath_directory_table('rate_limit_counts');

-- Counts at most `needed` units, and of what is left then an eighth at most, and at most `spare`, as a stock for the same slot: near the limit
-- nobody keeps a stock that others miss. A null limit counts and refuses nothing. `returned` units that were counted in `returned_slot`
-- are taken back first. `at_time` stands for the clock of this database, which all processes share, where a test moves its own.
create function take_rate_limit_units(
  wanted_bucket text,
  max_units integer,
  slot_ms integer,
  needed integer,
  spare integer,
  returned integer,
  returned_slot bigint,
  at_time timestamptz,
  out granted integer,
  out used integer,
  out current_slot bigint,
  -- Until the slot ends, and until the oldest units that count leave the window.
  out slot_ends_ms integer,
  out frees_ms integer
)
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  kept rate_limit_counts;
  now_ms bigint;
  passed bigint;
  free integer;
  oldest integer;
begin
  loop
    select * into kept from rate_limit_counts c where c.bucket = wanted_bucket for update;
    exit when found;
    insert into rate_limit_counts (bucket, slot, counts, expires_at)
    values (wanted_bucket, 0, array_fill(0, array[21]), to_timestamp(0))
    on conflict (bucket) do nothing;
  end loop;
  -- Read with the row locked: whoever counts later also counts in a later slot.
  now_ms := floor(extract(epoch from coalesce(at_time, clock_timestamp())) * 1000);
  current_slot := greatest(now_ms / slot_ms, kept.slot);
  passed := least(current_slot - kept.slot, 21);
  if passed > 0 then
    kept.counts := array_fill(0, array[passed::integer]) || kept.counts[1:21 - passed::integer];
  end if;
  if returned > 0 and current_slot - returned_slot between 0 and 20 then
    oldest := current_slot - returned_slot + 1;
    kept.counts[oldest] := greatest(kept.counts[oldest] - returned, 0);
  end if;
  select coalesce(sum(units), 0) into used from unnest(kept.counts) as units;
  free := greatest(coalesce(max_units, needed + used) - used, 0);
  granted := least(needed, free);
  granted := granted + least(spare, (free - granted) / 8);
  used := used + granted;
  kept.counts[1] := kept.counts[1] + granted;
  select coalesce(max(place), 1) into oldest from unnest(kept.counts) with ordinality as slots (units, place) where units > 0;
  slot_ends_ms := (current_slot + 1) * slot_ms - now_ms;
  frees_ms := (current_slot + 22 - oldest) * slot_ms - now_ms;
  update rate_limit_counts c
  set slot = current_slot, counts = kept.counts, expires_at = to_timestamp((current_slot + 21) * slot_ms / 1000.0)
  where c.bucket = wanted_bucket;
end
$$;
revoke execute on function take_rate_limit_units(text, integer, integer, integer, integer, integer, bigint, timestamptz) from public;
grant execute on function take_rate_limit_units(text, integer, integer, integer, integer, integer, bigint, timestamptz) to swath_across;

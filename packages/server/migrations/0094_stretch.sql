-- True colour got a stretch of its own, and bands of an index or of classes their colours. What was stored before keeps its look:
-- profiles that state no range, and share links, whose visitors saw the items as they were.
alter table share_links add column default_stretch text check (default_stretch in ('natural', 'linear'));

select swath_owner_sees(true, 'share_links', 'visualization_profiles');

update visualization_profiles
set config = config || '{"stretch": "linear"}'::jsonb
where config ->> 'stretch' is null and config ->> 'rescale' is null and config ->> 'expression' is null;

update share_links set default_stretch = 'linear';

select swath_owner_sees(false, 'share_links', 'visualization_profiles');

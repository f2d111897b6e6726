-- Ends a search whose conditions on long texts have taken too long, with the SQLSTATE of a cancelled statement: an engine that
-- runs within the process cannot be interrupted from outside. Of type text, to stand where a text is expected.
create function swath_cancel_search() returns text language plpgsql volatile cost 1 as $$
begin
  raise exception 'canceling statement because conditions on long texts took too long' using errcode = 'query_canceled';
end $$;

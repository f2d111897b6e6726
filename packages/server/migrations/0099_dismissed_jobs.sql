-- What OGC API - Processes keeps of a job: how it answers with the results, and since when it no longer shows the ended job (decision
-- 0124).
alter table processing_jobs
  add column result_form text
    check (result_form in ('raw-value', 'raw-reference', 'document-value', 'document-reference')),
  add column dismissed_at timestamptz;

-- The receipt of a job as compact JWS, whose payload is the receipt. Receipts of earlier jobs are not signed.
alter table processing_jobs
  add column receipt_jws text,
  add constraint processing_jobs_signed_receipt check (receipt_jws is null or receipt is not null);

import type { Job } from '@swath/contract/schemas/job.ts'
import { parseCommaSeparatedList } from '../../engine/sorted-page.ts'
import { deriveJobTypeId } from './registry.ts'
import type { JobSummaryRow } from './store.ts'

/** The representation of a job. */
export const toJob = (row: JobSummaryRow): Job => ({
  id: row.id,
  organization_id: row.organization_id,
  project_id: row.project_id,
  job_type_id: deriveJobTypeId(row.process_id),
  process_id: row.process_id,
  status: row.status,
  settlement: row.settlement,
  input_params: row.inputs,
  target_collection_id: row.collection_id,
  credits_held: row.settlement === 'reserved' ? row.held_credits : 0,
  credits_captured: row.captured_credits,
  progress: row.progress,
  attempt: row.attempt,
  failure: row.failure_code === null ? null : { code: row.failure_code, text: row.failure_text ?? '' },
  item_ids: row.item_ids,
  reused_job_id: row.reused_job_id,
  worker: row.worker,
  result_form: row.result_form,
  dismissed_at: row.dismissed_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
  updated_at: row.updated_at.toISOString(),
})

/** States of jobs as callers write them, in a comma-separated list; `canceled` and upper case are accepted. */
export const parseJobStatuses = (text: string | null | undefined): string[] | null =>
  parseCommaSeparatedList(text)?.map((status) => status.toLowerCase().replace(/^canceled$/, 'cancelled')) ?? null

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Job } from '@swath/contract/schemas/job.ts'

/** The answer of `processing.job.delegate`: a job, and what an outside worker needs for it. */
export interface Assignment {
  readonly job: Job
  readonly assignment: {
    readonly token: string
    readonly sources: { url: string; sha256: string | null }[]
    readonly outputs: { name: string; object_path: string; upload_url: string }[]
  }
}

/** An output as `processing.job.register` takes it. */
export interface UploadedOutput {
  readonly name: string
  readonly object_path: string
  readonly sha256: string
}

/** Does the work of a job that is a copy: downloads the source and uploads it as the output. */
export async function uploadCopy({ assignment }: Pick<Assignment, 'assignment'>): Promise<UploadedOutput[]> {
  const bytes = Buffer.from(await (await fetch(assignment.sources[0]!.url)).arrayBuffer())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  assert.equal(sha256, assignment.sources[0]!.sha256)
  const [output] = assignment.outputs
  const headers = { 'content-type': 'image/tiff' }
  const uploaded = await fetch(output!.upload_url, { method: 'PUT', body: bytes, headers })
  assert.ok(uploaded.ok, await uploaded.text())
  return [{ name: output!.name, object_path: output!.object_path, sha256 }]
}

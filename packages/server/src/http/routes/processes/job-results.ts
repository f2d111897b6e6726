import type { FastifyReply } from 'fastify'
import type { Job } from '@swath/contract/schemas/job.ts'
import { getResultForm, toJobResults, type JobResults } from '../../representations/ogc-processes/results.ts'
import type { ProcessesCall } from './processes-call.ts'

/** The results of a completed job in the form that its execution asked for. Throws what reading an item throws. */
export async function readJobResults(call: ProcessesCall, job: Job): Promise<JobResults> {
  const features: object[] = []
  const form = getResultForm(job, call.dialect)
  if (form.endsWith('-value'))
    for (const item_id of job.item_ids)
      features.push(await call.read<object>('items.get_stac', () => ({ item_id, base_url: call.urls.base })))
  return toJobResults(form, job, features, call.urls)
}

export function sendJobResults(reply: FastifyReply, { body, media_type, links }: JobResults): FastifyReply {
  if (links.length > 0) reply.header('link', [reply.getHeader('link') ?? [], links].flat().map(String))
  if (body === null) return reply.code(204).send()
  return reply.type(`${media_type}; charset=utf-8`).send(JSON.stringify(body))
}

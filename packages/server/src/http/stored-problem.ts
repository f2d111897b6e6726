import type { FastifyReply } from 'fastify'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { CallResult } from '../engine/pipeline/call-result.ts'
import { Problem, type FieldError } from '../engine/problem.ts'
import { getResultJsonValue } from './representations/representation.ts'

interface StoredDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly trace_id: string
  /** A list for invalid input. */
  readonly detail: string | readonly { readonly msg: string }[]
  readonly errors?: readonly FieldError[]
}

function readMessage({ detail, errors }: StoredDocument): string {
  const [first] = errors ?? []
  if (first?.path) return `${first.path}: ${first.message}`
  return typeof detail === 'string' ? detail : (detail[0]?.msg ?? '')
}

/**
 * Throws the error of a call with an idempotency key, which is stored as a document, for routes that have other words for errors than
 * operations.
 */
export function throwStoredProblem(reply: FastifyReply, result: CallResult): void {
  if (result.kind !== 'json') return
  if (result.replayed) reply.header('idempotency-replayed', 'true')
  if (result.status < 400) return
  const document = getResultJsonValue(result) as StoredDocument
  // The title and the trace are those of the answer that is sent now.
  const { type, title: _title, status, detail, trace_id: _trace, ...extra } = document
  const list = typeof detail === 'string' ? {} : { detail }
  const name = type.slice(type.lastIndexOf('/') + 1) as ProblemName
  throw new Problem(name, readMessage(document), { ...extra, ...list }, status)
}

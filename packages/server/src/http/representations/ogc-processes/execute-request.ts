import type { JobResultForm } from '@swath/contract/schemas/job.ts'
import { isPlainObject } from '../../../engine/input/schema-transform.ts'
import { validationProblem, type Problem } from '../../../engine/problem.ts'
import { processOutputMediaType, processOutputName } from './results.ts'

/** The members of a qualified value (OGC 18-062r2, `qualifiedInputValue.yaml`). */
const qualifiedMembers: ReadonlySet<string> = new Set(['value', 'mediaType', 'encoding', 'schema'])
/** The members of a reference (`link.yaml`). */
const linkMembers: ReadonlySet<string> = new Set(['href', 'rel', 'type', 'hreflang', 'title'])

const hasOnly = (value: unknown, required: string, members: ReadonlySet<string>): value is Record<string, unknown> =>
  isPlainObject(value) && required in value && Object.keys(value).every((name) => members.has(name))

/** The value of a qualified one, and the URL of a reference, which is how inputs name items. */
function unwrap(value: unknown): unknown {
  if (hasOnly(value, 'value', qualifiedMembers)) return value['value']
  return hasOnly(value, 'href', linkMembers) ? value['href'] : value
}

/**
 * The inputs of a request by their names: a value, a reference, or a qualified value, which is the only form that the standard has for
 * an object. Of several values each may be in any of these forms.
 */
export function readProcessInputValues(given: unknown): unknown {
  const inputs = given ?? {}
  if (!isPlainObject(inputs)) return inputs
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const plain = unwrap(value)
      return [name, Array.isArray(plain) ? plain.map(unwrap) : plain]
    }),
  )
}

const invalid = (path: string, message: string): Problem => validationProblem([{ path, message }])

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const responses = ['raw', 'document'] as const
const transmissionModes = ['value', 'reference'] as const

function readWord<const Word extends string>(value: unknown, words: readonly [Word, ...Word[]], path: string): Word {
  if (isAbsent(value)) return words[0]
  const word = words.find((known) => known === value)
  if (word === undefined) throw invalid(path, `must be ${words.map((known) => `"${known}"`).join(' or ')}`)
  return word
}

/** How the output is transmitted; a request that names no output asks for all. */
function readTransmissionMode(outputs: unknown): (typeof transmissionModes)[number] {
  if (isAbsent(outputs)) return transmissionModes[0]
  if (!isPlainObject(outputs)) throw invalid('outputs', 'must be an object with the names of outputs')
  const unknown = Object.keys(outputs).find((name) => name !== processOutputName)
  if (unknown !== undefined)
    throw invalid(`outputs.${unknown}`, `is not an output of the process, which has "${processOutputName}"`)
  const path = `outputs.${processOutputName}`
  const output = outputs[processOutputName] ?? {}
  if (!isPlainObject(output)) throw invalid(path, 'must be an object')
  requireFormat(output['format'], `${path}.format`)
  return readWord(output['transmissionMode'], transmissionModes, `${path}.transmissionMode`)
}

function requireFormat(format: unknown, path: string): void {
  if (isAbsent(format)) return
  const mediaType = isPlainObject(format) ? (format['mediaType'] ?? processOutputMediaType) : null
  if (mediaType !== processOutputMediaType) throw invalid(`${path}.mediaType`, `must be "${processOutputMediaType}"`)
}

/** What an execution asks for (`execute.yaml`), as `processing.execute` takes it. */
export interface ExecuteRequest {
  readonly inputs: unknown
  readonly result_form: JobResultForm
}

/** Reads the body of an execution. Throws `validation` that names what is not supported. */
export function readExecuteRequest(body: unknown): ExecuteRequest {
  if (!isPlainObject(body)) throw invalid('', 'must be an object')
  if (!isAbsent(body['subscriber']))
    throw invalid(
      'subscriber',
      'is not supported: leave it out, and subscribe to the events of jobs with `event_subscriptions.create`, or poll the job',
    )
  const response = readWord(body['response'], responses, 'response')
  return {
    inputs: readProcessInputValues(body['inputs']),
    result_form: `${response}-${readTransmissionMode(body['outputs'])}`,
  }
}

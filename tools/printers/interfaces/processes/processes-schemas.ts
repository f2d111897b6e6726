import { listOgcStatusWords } from '../../../../packages/server/src/http/representations/ogc-processes/jobs.ts'
import {
  processOutputMediaType,
  processOutputName,
} from '../../../../packages/server/src/http/representations/ogc-processes/results.ts'
import type { JsonSchema } from '../../json-schema.ts'

// The documents of OGC API - Processes, part 1, version 1.0 (OGC 18-062r2), as this interface has them.

type Members = Readonly<Record<string, JsonSchema>>

const text: JsonSchema = { type: 'string' }
const anything: JsonSchema = { type: 'object' }
const time: JsonSchema = { type: 'string', format: 'date-time' }
const uri: JsonSchema = { type: 'string', format: 'uri' }

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const wordsOf = (...words: string[]): JsonSchema => ({ type: 'string', enum: words })

/** An object with these members; a name that ends with a question mark is optional. */
const objectOf = (members: Members): JsonSchema => ({
  type: 'object',
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
})

/** An object whose names are data. */
const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties })

const link = objectOf({ href: text, rel: text, type: text })
const links = listOf(link)

export const landingPage = objectOf({ title: text, description: text, links })
export const conformance = objectOf({ conformsTo: listOf(uri) })

const summaryMembers: Members = {
  id: text,
  title: text,
  description: text,
  version: text,
  keywords: listOf(text),
  jobControlOptions: listOf(wordsOf('async-execute', 'sync-execute', 'dismiss')),
  outputTransmission: listOf(wordsOf('value', 'reference')),
  links,
}

export const processList = objectOf({ processes: listOf(objectOf(summaryMembers)), links })

const described: Members = { title: text, description: text, schema: anything }

export const processDescription = objectOf({
  ...summaryMembers,
  inputs: mapOf(objectOf({ ...described, minOccurs: { type: 'integer' }, maxOccurs: { type: 'integer' } })),
  outputs: objectOf({ [processOutputName]: objectOf(described) }),
  additionalParameters: objectOf({
    parameters: listOf(objectOf({ name: text, value: listOf({ anyOf: [anything, text] }) })),
  }),
})

export const statusWord: JsonSchema = wordsOf(...listOgcStatusWords())

export const statusInfo = objectOf({
  type: wordsOf('process'),
  processID: text,
  jobID: { type: 'string', format: 'uuid' },
  status: statusWord,
  'message?': text,
  created: time,
  'started?': time,
  'finished?': time,
  updated: time,
  progress: { type: 'integer', minimum: 0, maximum: 100 },
  links,
})

export const jobList = objectOf({ jobs: listOf(statusInfo), links })

export const featureCollection = objectOf({
  type: wordsOf('FeatureCollection'),
  features: listOf(objectOf({ type: wordsOf('Feature'), id: text })),
})

const qualifiedCollection = objectOf({ value: featureCollection, mediaType: wordsOf(processOutputMediaType) })
const reference = objectOf({ href: uri, type: wordsOf(processOutputMediaType) })

/** The document of results: the output by value, or references to its items. */
export const resultsDocument = objectOf({
  [processOutputName]: { anyOf: [qualifiedCollection, listOf(reference)] },
})

const output = objectOf({
  'transmissionMode?': wordsOf('value', 'reference'),
  'format?': objectOf({ 'mediaType?': wordsOf(processOutputMediaType) }),
})

export const inputsBody = objectOf({ 'inputs?': { type: 'object' } })

export const executeBody: JsonSchema = objectOf({
  'inputs?': { type: 'object', description: 'By name: a value, a reference, or a qualified value.' },
  'outputs?': { ...objectOf({ [`${processOutputName}?`]: output }), additionalProperties: false },
  'response?': wordsOf('raw', 'document'),
})

export const validInputs = objectOf({ valid: { type: 'boolean' } })

export const cost = objectOf({
  pricingStrategy: text,
  totalCredits: { type: 'integer', minimum: 0 },
  totalSize: { type: 'number', minimum: 0 },
  unit: text,
})

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

/** A job in the words of older clients. */
export const olderJob = objectOf({
  processID: text,
  jobID: text,
  accountID: text,
  workspaceID: text,
  definition: objectOf({ inputs: anything }),
  status: wordsOf('created', 'running', 'captured', 'released'),
  created: time,
  updated: time,
  started: nullable(time),
  finished: nullable(time),
  creditConsumption: objectOf({ credits: { type: 'integer' } }),
  results: objectOf({ 'collection?': uri, 'errors?': listOf(objectOf({ name: text, message: text })) }),
})

export const olderJobList = objectOf({ jobs: listOf(olderJob), links })

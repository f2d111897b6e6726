import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { imageryReadProblems } from '../problems.ts'
import { Process, JobEstimate } from '../schemas/job.ts'
import { StrictObject, WithDefault, WithDescription, AnyObject, EmptyInput } from '../schemas/primitives.ts'

const ProcessId = Type.String({ minLength: 1, maxLength: 200 })

const ProcessInput = StrictObject({ process_id: ProcessId })

const ProcessInputs = StrictObject({
  process_id: ProcessId,
  inputs: WithDescription('Inputs of the process (`processing.catalog.get`).', WithDefault(AnyObject, {})),
})

export const processingCatalogListOperation = operation({
  id: 'processing.catalog.list',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the processes that can be executed.',
  input: EmptyInput,
  output: ListEnvelope('processes', Process),
})

export const processingCatalogGetOperation = operation({
  id: 'processing.catalog.get',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Read a process with the schema of its inputs.',
  input: ProcessInput,
  output: Type.Object({ process: Process }),
  problems: ['not-found'],
})

export const processingCatalogValidateOperation = operation({
  id: 'processing.catalog.validate',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Validate inputs against the schema of a process.',
  body_limit_bytes: limits.max_area_list_body_bytes,
  input: ProcessInputs,
  output: Type.Object({
    valid: Type.Boolean(),
    errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    inputs_schema: WithDescription('The schema that inputs must match.', AnyObject),
  }),
  problems: ['not-found', 'upstream'],
})

export const processingCatalogEstimateOperation = operation({
  id: 'processing.catalog.estimate',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Estimate the price of executing a process; nothing is stored.',
  body_limit_bytes: limits.max_area_list_body_bytes,
  input: ProcessInputs,
  output: JobEstimate,
  problems: imageryReadProblems,
})

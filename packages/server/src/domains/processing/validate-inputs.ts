import { Compile } from 'typebox/compile'
import { withMappedFieldErrors, Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import { findFieldErrors } from '../../engine/input/find-field-errors.ts'
import type { ProcessDefinition } from './process-definition.ts'
import { getProcessInputsSchema, processRegistry } from './registry.ts'

const validators = new Map(processRegistry.map(({ id, inputs }) => [id, Compile(inputs)]))

/** Inputs are stored with their job. */
export const max_job_inputs_bytes = 1_000_000

/** The errors of inputs by the schema of a process; empty if valid. Throws `too-large` for more than 1 MB of JSON. */
export function findProcessInputErrors(
  { id, inputs: schema }: ProcessDefinition,
  inputs: unknown,
): readonly FieldError[] {
  const bytes = Buffer.byteLength(JSON.stringify(inputs))
  if (bytes > max_job_inputs_bytes)
    throw new Problem(
      'too-large',
      `The inputs have ${bytes} bytes as JSON; at most ${max_job_inputs_bytes} are accepted.`,
    )
  return validators.get(id)?.Check(inputs) ? [] : findFieldErrors(schema, inputs)
}

/**
 * Runs work on the inputs of a process. Throws `too-large`. Validation errors name the input with its prefix, and carry the
 * schema that inputs must match as `expected_schema`.
 *
 * @param field the field of the operation that holds the inputs.
 */
export const withProcessInputErrors = <T>(
  definition: ProcessDefinition,
  field: string,
  inputs: unknown,
  work: () => Promise<T>,
): Promise<T> =>
  withMappedFieldErrors(
    async () => {
      const errors = findProcessInputErrors(definition, inputs)
      if (errors.length > 0) throw validationProblem(errors)
      return work()
    },
    ({ path, message }) => ({ path: [field, path].filter(Boolean).join('.'), message }),
    () => ({ expected_schema: getProcessInputsSchema(definition) }),
  )

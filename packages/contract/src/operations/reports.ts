import Type from 'typebox'
import { operation } from '../operation.ts'
import { WithDescription, StrictObject, OptionalNullable, AnyObject, Timestamp, Uuid } from '../schemas/primitives.ts'

export const reportsGenerateOperation = operation({
  id: 'reports.generate',
  scope: 'reports:read',
  effect: 'read',
  summary: 'Generate a report on the orders, spending, usage, processing or inventory of the organization.',
  input: StrictObject({
    report_type: Type.Enum(['orders', 'spending', 'usage', 'processing', 'inventory'], {
      description: 'Subject of the report.',
    }),
    project_id: OptionalNullable(Uuid),
    from: WithDescription('Defaults to 30 days before `to`.', OptionalNullable(Timestamp)),
    to: WithDescription('Defaults to now.', OptionalNullable(Timestamp)),
  }),
  output: Type.Object({
    report_type: Type.String(),
    generated_at: Timestamp,
    from: Timestamp,
    to: Timestamp,
    rows: Type.Array(AnyObject),
    totals: AnyObject,
  }),
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

import Type from 'typebox'
import { operation } from '../operation.ts'
import { Described, Input, Maybe, Open, Timestamp, Uuid } from '../shapes/primitives.ts'

export const reportsGenerate = operation({
  id: 'reports.generate',
  scope: 'reports:read',
  effect: 'read',
  summary: 'Generate a report on the orders, spending, usage, processing or inventory of the organization.',
  input: Input({
    report_type: Type.Enum(['orders', 'spending', 'usage', 'processing', 'inventory'], {
      description: 'Subject of the report.',
    }),
    project_id: Maybe(Uuid),
    from: Described('Defaults to 30 days before `to`.', Maybe(Timestamp)),
    to: Described('Defaults to now.', Maybe(Timestamp)),
  }),
  output: Type.Object({
    report_type: Type.String(),
    generated_at: Timestamp,
    from: Timestamp,
    to: Timestamp,
    rows: Type.Array(Open),
    totals: Open,
  }),
  problems: ['not-found', 'not-a-member'],
})

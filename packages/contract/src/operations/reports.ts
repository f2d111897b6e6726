import Type from 'typebox'
import { operation } from '../operation.ts'
import { Described, Input, Maybe, Open, Timestamp, Uuid } from '../shapes/primitives.ts'

export const reportsGenerate = operation({
  id: 'reports.generate',
  scope: 'reports:read',
  effect: 'read',
  summary: 'Draw up a report on the work, the spending or the use of the organization.',
  input: Input({
    report_type: Type.Enum(['orders', 'spending', 'usage', 'processing', 'inventory'], {
      description: 'What the report is about.',
    }),
    project_id: Maybe(Uuid),
    from: Described('Without it thirty days before `to`.', Maybe(Timestamp)),
    to: Described('Without it now.', Maybe(Timestamp)),
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

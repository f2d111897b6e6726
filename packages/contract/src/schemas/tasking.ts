import Type, { type Static } from 'typebox'
import { Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

const decisionFields = {
  id: Uuid,
  orderId: Uuid,
  workspaceId: Uuid,
  accountId: Uuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const CreditsCount = Type.Integer({ minimum: 0 })

/** An option of a provider for fulfilling a tasking order. */
export const FeasibilityOption = Type.Object({
  id: Type.String(),
  description: Type.String(),
  acquisitionStart: Nullable(Timestamp),
  acquisitionEnd: Nullable(Timestamp),
  creditsPrice: Nullable(CreditsCount),
})

export const FeasibilityStudy = Type.Object({
  ...decisionFields,
  decision: Type.Enum(['NOT_DECIDED', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN']),
  options: Type.Array(FeasibilityOption),
  decisionOption: Nullable(Type.Object({ id: Type.String(), description: Type.String() })),
  decisionAt: Nullable(Timestamp),
  decideBy: Nullable(Timestamp),
})

export const Quotation = Type.Object({
  ...decisionFields,
  decision: Type.Enum(['NOT_DECIDED', 'ACCEPTED', 'REJECTED', 'EXPIRED', 'SUPERSEDED']),
  creditsPrice: CreditsCount,
  decisionAt: Nullable(Timestamp),
  decideBy: Nullable(Timestamp),
})

/** A feasibility study or quotation that waits for a decision. */
export const PendingDecision = Type.Object({
  kind: Type.Enum(['feasibility', 'quotation']),
  id: Uuid,
  orderId: Uuid,
  workspaceId: Uuid,
  displayName: Type.String(),
  creditsPrice: Nullable(CreditsCount),
  decideBy: Nullable(Timestamp),
  createdAt: Timestamp,
})

/** A window in which a sensor could acquire the area. */
export const TaskingOpportunity = Type.Object({
  id: Type.String(),
  acquisitionStart: Timestamp,
  acquisitionEnd: Timestamp,
  sensor: Type.String(),
  incidenceAngle: Nullable(Type.Number()),
  probability: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  creditsPrice: Nullable(CreditsCount),
})

/** A sensor that can be tasked. */
export const TaskingSensor = Type.Object({
  id: Type.String(),
  title: Type.String(),
  provider: Type.String(),
  resolution: Type.String(),
  bands: Type.Array(Type.String()),
  data_products: Type.Array(Type.String()),
  params_schema: AnyObject,
})

/** Saved parameters of a tasking order. */
export const TaskingTemplate = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  capture_asap: Type.Boolean(),
  resolution: Type.String(),
  sensor: Type.String(),
  capture_frequency: Type.String(),
  datum: Type.String(),
  file_format: Type.String(),
  has_control: Type.Boolean(),
  max_cloud_coverage: Type.Integer(),
  max_nadir_angle: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type FeasibilityStudy = Static<typeof FeasibilityStudy>
export type Quotation = Static<typeof Quotation>
export type TaskingTemplate = Static<typeof TaskingTemplate>

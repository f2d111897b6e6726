import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, PageEnvelope, pageNumberPaging } from '../paging.ts'
import { orderingProblems } from '../problems.ts'
import { Area, FeatureCollection } from '../schemas/geojson.ts'
import { PlacedOrder } from '../schemas/order.ts'
import {
  Count,
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  EmptyInput,
  Nullable,
  AnyObject,
  OrEmptyObject,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'
import {
  FeasibilityStudy,
  TaskingOpportunity,
  PendingDecision,
  Quotation,
  TaskingSensor,
  TaskingTemplate,
  DataProductReference,
  TaskingGroups,
  taskingRequestFields,
} from '../schemas/tasking.ts'

const ShortText = Type.String({ minLength: 1, maxLength: limits.max_name_length })
const optionalText = OptionalNullable(Type.String({ maxLength: 2000 }))
const id = OptionalNullable(Uuid)

const ProductInput = StrictObject({
  dataProduct: DataProductReference,
  displayName: WithDescription('Display name of the order.', optionalText),
  featureCollection: WithDefault(
    WithDescription('The areas, one per feature; `{}` means none.', OrEmptyObject(FeatureCollection)),
    {
      type: 'FeatureCollection',
      features: [],
    },
  ),
  params: WithDescription('Parameters of the data product (`orders.get_schema`).', OptionalNullable(AnyObject)),
})

const decisionFilters = {
  id,
  workspaceId: id,
  orderId: id,
  decision: WithDescription('Decisions, comma-separated, such as `NOT_DECIDED`.', optionalText),
  ...pageNumberPaging(),
}

const decisionSort = (fields: string) =>
  WithDefault(
    Type.String({ pattern: `^(${fields}),(asc|desc)$`, description: 'Field and direction.' }),
    'createdAt,desc',
  )

export const ordersTaskingEstimateOperation = operation({
  id: 'orders.tasking.estimate',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Estimate the price of acquiring areas; nothing is stored.',
  body_limit_bytes: null,
  input: StrictObject({ groups: Type.Optional(TaskingGroups) }),
  output: Type.Object({
    groups: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        name: Nullable(Type.String()),
        aoi_km2: Type.Number({ minimum: 0 }),
        credits: Count,
        aud: Type.Number({ minimum: 0 }),
      }),
    ),
    errors: Type.Array(
      Type.Object({ index: Type.Integer({ minimum: 0 }), code: Type.String(), message: Type.String() }),
    ),
    totalAud: Type.Number({ minimum: 0 }),
    totalCredits: Count,
  }),
  problems: ['not-found', 'upstream'],
})

export const ordersTaskingPlaceOperation = operation({
  id: 'orders.tasking.place',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Place a tasking order for new imagery; credits are held when a price is accepted.',
  body_limit_bytes: null,
  input: StrictObject({
    workspaceId: WithDescription('The project; defaults to the oldest project of the caller.', OptionalNullable(Uuid)),
    ...taskingRequestFields,
    quote_id: WithDescription(
      'A quote of `orders.quote` for areas, which sets `groups`, `dataProduct`, `template_id` and `params`: its price is charged, or the call is refused.',
      OptionalNullable(Uuid),
    ),
    displayName: WithDefault(
      Type.String({ maxLength: limits.max_name_length, description: 'Display name of the order.' }),
      '',
    ),
    tags: OptionalNullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 100,
        description: 'Tags to find the order by.',
      }),
    ),
    ...spendFields,
  }),
  output: WithDryRun(PlacedOrder),
  status: 202,
  problems: [...orderingProblems, 'conflicting-parameters', 'quote-expired', 'eula-not-accepted'],
  emits: ['order.created', 'feasibility.requested'],
  idempotent: true,
})

export const ordersTaskingFeasibilityCheckOperation = operation({
  id: 'orders.tasking.feasibility_check',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Check whether areas can be acquired, before ordering.',
  body_limit_bytes: null,
  input: ProductInput,
  output: Type.Object({
    feasible: Type.Boolean(),
    reasons: Type.Array(Type.String()),
    opportunities: Type.Array(TaskingOpportunity),
  }),
  problems: ['not-found', 'upstream'],
})

export const ordersTaskingOpportunitiesListOperation = operation({
  id: 'orders.tasking.opportunities_list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the acquisition opportunities for areas.',
  body_limit_bytes: null,
  input: ProductInput,
  output: ListEnvelope('opportunities', TaskingOpportunity),
  problems: ['not-found', 'upstream'],
})

export const ordersTaskingFeasibilityStudiesListOperation = operation({
  id: 'orders.tasking.feasibility_studies.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the feasibility studies of tasking orders.',
  input: StrictObject({ ...decisionFilters, sort: decisionSort('createdAt|updatedAt|decisionAt') }),
  output: PageEnvelope(FeasibilityStudy),
  problems: ['not-found', 'not-a-member'],
  paging: 'page',
})

export const ordersTaskingFeasibilityDecideOperation = operation({
  id: 'orders.tasking.feasibility_decide',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Accept an option of a feasibility study; if the option has a price, it is held now.',
  input: StrictObject({ study_id: Uuid, acceptedOptionId: ShortText, ...spendFields }),
  output: WithDryRun(Type.Object({ study: FeasibilityStudy })),
  problems: [...orderingProblems, 'eula-not-accepted', 'already-decided', 'quote-expired'],
  emits: ['quotation.accepted'],
  idempotent: true,
})

export const ordersTaskingQuotationsListOperation = operation({
  id: 'orders.tasking.quotations.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the quotations of tasking orders.',
  input: StrictObject({ ...decisionFilters, sort: decisionSort('createdAt|updatedAt|decisionAt|creditsPrice') }),
  output: PageEnvelope(Quotation),
  problems: ['not-found', 'not-a-member'],
  paging: 'page',
})

export const ordersTaskingQuotationDecideOperation = operation({
  id: 'orders.tasking.quotation_decide',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Accept a quotation, which holds its price, or reject it, which cancels the order.',
  input: StrictObject({
    quotation_id: Uuid,
    decision: Type.Enum(['ACCEPTED', 'REJECTED'], { description: 'Final: it cannot be changed later.' }),
    ...spendFields,
  }),
  output: WithDryRun(Type.Object({ quotation: Quotation })),
  problems: [...orderingProblems, 'eula-not-accepted', 'already-decided', 'quote-expired'],
  emits: ['quotation.accepted', 'quotation.rejected', 'order.cancelled'],
  idempotent: true,
})

export const ordersTaskingDecisionsPendingOperation = operation({
  id: 'orders.tasking.decisions.pending',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the feasibility studies and quotations that wait for a decision, most urgent first.',
  input: StrictObject({
    workspaceId: id,
    ...pageNumberPaging(),
    kinds: WithDescription('`feasibility`, `quotation` or both, comma-separated.', optionalText),
  }),
  output: PageEnvelope(PendingDecision),
  problems: ['not-found', 'not-a-member'],
  paging: 'page',
})

export const ordersTaskingSensorsOperation = operation({
  id: 'orders.tasking.sensors',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the sensors that can be tasked.',
  input: EmptyInput,
  output: ListEnvelope('sensors', TaskingSensor),
})

export const ordersTaskingGroupsListOperation = operation({
  id: 'orders.tasking.groups.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the areas of a tasking order with the acquired items.',
  input: StrictObject({
    order_id: Uuid,
    organization_id: WithDescription('The organization of the order; by default that of the caller.', id),
  }),
  output: ListEnvelope(
    'groups',
    Type.Object({
      id: Uuid,
      name: Nullable(Type.String()),
      geometry: Area,
      subStatus: Type.String(),
      item_ids: Type.Array(Uuid),
      host: Type.String(),
      acquisitionStart: Timestamp,
      acquisitionEnd: Timestamp,
      plannedAt: Nullable(Timestamp, { description: 'The planned or past acquisition.' }),
      creditsPrice: Count,
      collects: Type.Array(AnyObject, { description: 'The collections of the host so far, planned ones included.' }),
      failureReason: Nullable(Type.String()),
    }),
  ),
  problems: ['not-found'],
})

export const ordersTaskingTemplatesSaveOperation = operation({
  id: 'orders.tasking.templates.save',
  scope: 'orders:write',
  permission: 'contribute',
  effect: 'compute',
  summary: 'Save the parameters of a tasking order as a template; a template with the same name is replaced.',
  body_limit_bytes: null,
  input: StrictObject({
    name: ShortText,
    description: OptionalNullable(Type.String({ maxLength: limits.max_text_length })),
    capture_asap: WithDefault(Type.Boolean({ description: 'Acquire as soon as possible.' }), true),
    resolution: WithDescription('Spatial resolution, such as `50cm`.', ShortText),
    sensor: WithDescription('Sensor type, such as `optical`.', ShortText),
    capture_frequency: WithDescription('Capture frequency, such as `once` or `weekly`.', ShortText),
    datum: WithDescription('Geodetic datum, such as `WGS84`.', ShortText),
    file_format: WithDescription('File format, such as `COG`.', ShortText),
    has_control: WithDefault(Type.Boolean({ description: 'Ground control points are provided.' }), false),
    max_cloud_coverage: WithDefault(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Maximum cloud cover, percent.' }),
      0,
    ),
    max_nadir_angle: WithDefault(
      Type.Integer({ minimum: 0, maximum: 90, description: 'Maximum off-nadir angle, degrees.' }),
      0,
    ),
  }),
  output: TaskingTemplate,
  problems: ['quota-exceeded'],
})

export const ordersTaskingTemplatesListOperation = operation({
  id: 'orders.tasking.templates.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the tasking templates of the organization.',
  input: EmptyInput,
  output: ListEnvelope('templates', TaskingTemplate),
})

export const ordersTaskingTemplatesDeleteOperation = operation({
  id: 'orders.tasking.templates.delete',
  scope: 'orders:write',
  permission: 'contribute',
  effect: 'destructive',
  summary: 'Delete a tasking template.',
  input: StrictObject({ template_id: Uuid }),
  output: Type.Object({ template_id: Uuid, deleted: Type.Boolean() }),
  problems: ['not-found'],
})

export const ordersTaskingTemplatesGetOperation = operation({
  id: 'orders.tasking.templates.get',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Read a tasking template.',
  input: StrictObject({ template_id: Uuid }),
  output: TaskingTemplate,
  problems: ['not-found'],
  extension: true,
})

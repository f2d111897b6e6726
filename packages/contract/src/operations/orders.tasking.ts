import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, Page, pagePaging } from '../paging.ts'
import { buyingProblems } from '../problems.ts'
import { Area, FeatureCollection } from '../shapes/geojson.ts'
import { PlacedOrder } from '../shapes/order.ts'
import {
  Count,
  Default,
  Described,
  Input,
  Maybe,
  NoInput,
  Nullable,
  Open,
  OrEmpty,
  Timestamp,
  Uuid,
} from '../shapes/primitives.ts'
import {
  FeasibilityStudy,
  Opportunity,
  PendingDecision,
  Quotation,
  TaskingSensor,
  TaskingTemplate,
} from '../shapes/tasking.ts'

const Word = Type.String({ minLength: 1, maxLength: limits.name_length })
const ProductId = Described('A data product by id (`glossary.data_products.list`).', Word)
const word = Maybe(Type.String({ maxLength: 2000 }))
const id = Maybe(Uuid)

const product = Input({
  dataProduct: ProductId,
  displayName: Described('Display name of the order.', word),
  featureCollection: Default(Described('The areas, one per feature; `{}` means none.', OrEmpty(FeatureCollection)), {
    type: 'FeatureCollection',
    features: [],
  }),
  params: Described('Parameters of the data product (`orders.get_schema`).', Maybe(Open)),
})

/** An area to acquire within a time window. */
const TaskingGroup = Input({
  name: word,
  geometry: Area,
  dataProduct: Maybe(ProductId),
  sensor: word,
  acquisitionStart: Maybe(Timestamp),
  acquisitionEnd: Maybe(Timestamp),
  params: Maybe(Open),
})

const groups = Type.Array(TaskingGroup, { minItems: 1, maxItems: 100, description: 'The areas to acquire.' })

const decisions = {
  id,
  workspaceId: id,
  orderId: id,
  decision: Described('Decisions, comma-separated, such as `NOT_DECIDED`.', word),
  ...pagePaging(),
}

export const ordersTaskingEstimate = operation({
  id: 'orders.tasking.estimate',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Estimate the price of acquiring areas; nothing is stored.',
  input: Input({ groups: Type.Optional(groups) }),
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

export const ordersTaskingPlace = operation({
  id: 'orders.tasking.place',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Place a tasking order for new imagery; credits are held when a price is accepted.',
  input: Input({
    workspaceId: Described('The project.', Uuid),
    groups,
    displayName: Default(Type.String({ maxLength: limits.name_length, description: 'Display name of the order.' }), ''),
    dataProduct: Maybe(ProductId),
    template_id: id,
    params: Described('Parameters of the data product (`orders.get_schema`).', Maybe(Open)),
    tags: Maybe(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 100,
        description: 'Tags to find the order by.',
      }),
    ),
  }),
  output: PlacedOrder,
  status: 202,
  problems: buyingProblems,
  emits: ['order.created', 'feasibility.requested'],
  idempotent: true,
})

export const ordersTaskingFeasibilityCheck = operation({
  id: 'orders.tasking.feasibility_check',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Check whether areas can be acquired, before ordering.',
  input: product,
  output: Type.Object({
    feasible: Type.Boolean(),
    reasons: Type.Array(Type.String()),
    opportunities: Type.Array(Opportunity),
  }),
  problems: ['not-found', 'upstream'],
})

export const ordersTaskingOpportunitiesList = operation({
  id: 'orders.tasking.opportunities_list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the acquisition opportunities for areas.',
  input: product,
  output: List('opportunities', Opportunity),
  problems: ['not-found', 'upstream'],
})

export const ordersTaskingFeasibilityStudiesList = operation({
  id: 'orders.tasking.feasibility_studies.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the feasibility studies of tasking orders.',
  input: Input(decisions),
  output: Page(FeasibilityStudy),
  paging: 'page',
})

export const ordersTaskingFeasibilityDecide = operation({
  id: 'orders.tasking.feasibility_decide',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Accept an option of a feasibility study; if the option has a price, it is held now.',
  input: Input({ study_id: Uuid, acceptedOptionId: Word }),
  output: Type.Object({ study: FeasibilityStudy }),
  problems: [...buyingProblems, 'already-decided', 'quote-expired'],
  emits: ['quotation.accepted'],
  idempotent: true,
})

export const ordersTaskingQuotationsList = operation({
  id: 'orders.tasking.quotations.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the quotations of tasking orders.',
  input: Input(decisions),
  output: Page(Quotation),
  paging: 'page',
})

export const ordersTaskingQuotationDecide = operation({
  id: 'orders.tasking.quotation_decide',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Accept a quotation, which holds its price, or reject it, which cancels the order.',
  input: Input({
    quotation_id: Uuid,
    decision: Type.Enum(['ACCEPTED', 'REJECTED'], { description: 'Final: it cannot be changed later.' }),
  }),
  output: Type.Object({ quotation: Quotation }),
  problems: [...buyingProblems, 'already-decided', 'quote-expired'],
  emits: ['quotation.accepted', 'quotation.rejected', 'order.cancelled'],
  idempotent: true,
})

export const ordersTaskingDecisionsPending = operation({
  id: 'orders.tasking.decisions.pending',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the feasibility studies and quotations that wait for a decision, most urgent first.',
  input: Input({
    workspaceId: id,
    ...pagePaging(),
    kinds: Described('`feasibility`, `quotation` or both, comma-separated.', word),
  }),
  output: Page(PendingDecision),
  paging: 'page',
})

export const ordersTaskingSensors = operation({
  id: 'orders.tasking.sensors',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the sensors that can be tasked.',
  input: NoInput,
  output: List('sensors', TaskingSensor),
})

export const ordersTaskingGroupsList = operation({
  id: 'orders.tasking.groups.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the areas of a tasking order with the acquired items.',
  input: Input({ order_id: Uuid }),
  output: List(
    'groups',
    Type.Object({
      id: Uuid,
      name: Nullable(Type.String()),
      geometry: Area,
      subStatus: Type.String(),
      item_ids: Type.Array(Uuid),
    }),
  ),
  problems: ['not-found'],
})

export const ordersTaskingTemplatesSave = operation({
  id: 'orders.tasking.templates.save',
  scope: 'orders:write',
  effect: 'compute',
  summary: 'Save the parameters of a tasking order as a template; a template with the same name is replaced.',
  input: Input({
    name: Word,
    description: Maybe(Type.String({ maxLength: limits.text_length })),
    capture_asap: Default(Type.Boolean({ description: 'Acquire as soon as possible.' }), true),
    resolution: Described('Spatial resolution, such as `50cm`.', Word),
    sensor: Described('Sensor type, such as `optical`.', Word),
    capture_frequency: Described('Capture frequency, such as `once` or `weekly`.', Word),
    datum: Described('Geodetic datum, such as `WGS84`.', Word),
    file_format: Described('File format, such as `COG`.', Word),
    has_control: Default(Type.Boolean({ description: 'Ground control points are provided.' }), false),
    max_cloud_coverage: Default(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Maximum cloud cover, percent.' }),
      0,
    ),
    max_nadir_angle: Default(
      Type.Integer({ minimum: 0, maximum: 90, description: 'Maximum off-nadir angle, degrees.' }),
      0,
    ),
  }),
  output: TaskingTemplate,
  problems: ['forbidden'],
})

export const ordersTaskingTemplatesList = operation({
  id: 'orders.tasking.templates.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the tasking templates of the organization.',
  input: NoInput,
  output: List('templates', TaskingTemplate),
})

export const ordersTaskingTemplatesDelete = operation({
  id: 'orders.tasking.templates.delete',
  scope: 'orders:write',
  effect: 'destructive',
  summary: 'Delete a tasking template.',
  input: Input({ template_id: Uuid }),
  output: Type.Object({ template_id: Uuid, deleted: Type.Boolean() }),
  problems: ['not-found', 'forbidden'],
})

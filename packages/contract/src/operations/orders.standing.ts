import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { orderingProblems } from '../problems.ts'
import {
  ClearIfNull,
  KeepIfNull,
  OkResultWithId,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDescription,
} from '../schemas/primitives.ts'
import { spendFields, createSpendFields, WithDryRun } from '../schemas/spend.ts'
import { StandingOrder, StandingOrderMode, StandingOrderScene, StandingOrderSceneStatus } from '../schemas/order.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: limits.max_name_length,
  description: 'Display name of the standing order.',
})
const SceneCap = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'A scene that costs more is skipped.',
})
const MonthCap = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The most that its orders of a calendar month (UTC) may cost; then it stops until the next one.',
})
const Product = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Only scenes of this data product (`glossary.data_products.list`).',
})
const Licence = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Licence of the orders; defaults to the standard licence of each product.',
})
const HostId = Type.String({ minLength: 1, maxLength: 500, description: 'The host of the scene.' })
const SceneId = Type.String({ minLength: 1, maxLength: 500, description: 'The id of the scene at its host.' })

export const ordersStandingCreateOperation = operation({
  id: 'orders.standing.create',
  scope: 'orders:write',
  callers: 'users',
  effect: 'spend',
  summary: 'Order, or propose, every new scene of a saved search within caps, as the calling user.',
  body_limit_bytes: null,
  input: StrictObject({
    saved_search_id: WithDescription('A saved search with an area (`catalog.search.save`).', Uuid),
    name: WithDescription('Display name; defaults to that of the search.', OptionalNullable(Name)),
    project_id: WithDescription(
      'The project of the deliveries; defaults to that of the search.',
      OptionalNullable(Uuid),
    ),
    mode: StandingOrderMode,
    max_credits_per_scene: SceneCap,
    max_credits_per_month: MonthCap,
    data_product_id: OptionalNullable(Product),
    license_type: OptionalNullable(Licence),
    ...createSpendFields('Refuse the call with `spend-limit-exceeded` if `max_credits_per_month` is more than this.'),
  }),
  output: WithDryRun(StandingOrder),
  status: 201,
  problems: ['not-found', 'not-a-member', 'invalid-state', 'spend-limit-exceeded'],
  idempotent: true,
  extension: true,
})

export const ordersStandingListOperation = operation({
  id: 'orders.standing.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the standing orders of the projects of the caller, newest first.',
  input: StrictObject({
    project_id: WithDescription('Only standing orders of this project.', OptionalNullable(Uuid)),
    ...offsetPaging(limits.short_offset_limit),
  }),
  output: ListEnvelope('standing_orders', StandingOrder),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const ordersStandingUpdateOperation = operation({
  id: 'orders.standing.update',
  scope: 'orders:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Change, pause or resume a standing order; others than its creator may only pause it.',
  input: StrictObject({
    standing_order_id: Uuid,
    name: KeepIfNull(Name),
    mode: KeepIfNull(StandingOrderMode),
    max_credits_per_scene: KeepIfNull(SceneCap),
    max_credits_per_month: KeepIfNull(MonthCap),
    data_product_id: ClearIfNull(Product),
    license_type: ClearIfNull(Licence),
    status: KeepIfNull(Type.Enum(['active', 'paused'], { description: '`active` also ends a suspension.' })),
  }),
  output: StandingOrder,
  problems: ['not-found', 'not-a-member', 'invalid-state', 'forbidden'],
  extension: true,
})

export const ordersStandingDeleteOperation = operation({
  id: 'orders.standing.delete',
  scope: 'orders:write',
  effect: 'destructive',
  summary: 'Delete a standing order and its proposals; its orders remain.',
  input: StrictObject({ standing_order_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const ordersStandingScenesListOperation = operation({
  id: 'orders.standing.scenes.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the new scenes of a standing order and what became of them, newest first.',
  input: StrictObject({
    standing_order_id: Uuid,
    status: WithDescription('Only scenes with this status.', OptionalNullable(StandingOrderSceneStatus)),
    ...offsetPaging(limits.short_offset_limit),
  }),
  output: ListEnvelope('scenes', StandingOrderScene),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const ordersStandingDecideOperation = operation({
  id: 'orders.standing.decide',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Accept a proposed scene, which orders it as the calling user at no more than its price, or reject it.',
  input: StrictObject({
    standing_order_id: Uuid,
    source_id: HostId,
    scene_id: SceneId,
    decision: Type.Enum(['ACCEPTED', 'REJECTED'], { description: 'A scene is decided once.' }),
    ...spendFields,
  }),
  output: WithDryRun(Type.Object({ standing_order_id: Uuid, ...StandingOrderScene.properties })),
  problems: [...orderingProblems, 'user-required', 'already-decided', 'eula-not-accepted'],
  emits: ['order.created'],
  idempotent: true,
  extension: true,
})

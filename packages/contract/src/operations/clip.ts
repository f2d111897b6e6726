import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { jobStartProblems } from '../problems.ts'
import { Geometry, Area } from '../schemas/geojson.ts'
import { reuseResultField, Job } from '../schemas/job.ts'
import {
  WithDescription,
  ShortText,
  StrictObject,
  Nullable,
  Timestamp,
  OptionalNullable,
  Uuid,
  EmptyInput,
} from '../schemas/primitives.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'

const AreaName = WithDescription('An area (`clip.areas.list`).', ShortText)

const AreaInput = StrictObject({ area: AreaName })

/** An area with mosaics that can be clipped. */
const ClipArea = Type.Object({
  area: Type.String(),
  title: Type.String(),
  description: Type.String(),
  geometry: Nullable(Geometry),
  mosaic_types: Type.Array(Type.String()),
})

const Mosaic = Type.Object({
  mosaic_type: Type.String(),
  title: Type.String(),
  datetime: Nullable(Timestamp),
  gsd: Nullable(Type.Number()),
  band_names: Type.Array(Type.String()),
})

export const clipCreateFromItemOperation = operation({
  id: 'clip.create_from_item',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Clip assets of an item to a polygon and store the result as a new item.',
  body_limit_bytes: null,
  input: StrictObject({
    source_item_id: Uuid,
    project_id: Type.Optional(
      Nullable(Uuid, { description: 'Project of the result; defaults to the project of the source item.' }),
    ),
    aoi_geometry: WithDescription('The polygon to clip to.', Area),
    asset_keys: Type.Optional(
      Nullable(Type.Array(ShortText, { minItems: 1, maxItems: 100 }), { description: 'Defaults to every raster.' }),
    ),
    output_name: OptionalNullable(ShortText),
    ...reuseResultField,
    ...spendFields,
  }),
  output: WithDryRun(
    Type.Object({
      job: Job,
      assets_to_clip: Type.Integer({ minimum: 0 }),
      asset_keys: Type.Array(Type.String()),
    }),
  ),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
})

export const clipCreateFromAreaOperation = operation({
  id: 'clip.create_from_area',
  scope: 'clip:write',
  effect: 'spend',
  summary: 'Clip mosaics of an area to a polygon.',
  body_limit_bytes: null,
  input: StrictObject({
    area: AreaName,
    mosaic_types: Type.Array(ShortText, {
      minItems: 1,
      maxItems: 100,
      description: 'Mosaic types (`clip.area.mosaics`).',
    }),
    aoi_geometry: WithDescription('The polygon to clip to.', Area),
    aoi_name: OptionalNullable(ShortText),
    project_id: OptionalNullable(Uuid),
    organization_id: Uuid,
    ...reuseResultField,
    ...spendFields,
  }),
  output: WithDryRun(Type.Object({ job: Job })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
})

export const clipAreasListOperation = operation({
  id: 'clip.areas.list',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the areas that have mosaics.',
  input: EmptyInput,
  output: ListEnvelope('areas', ClipArea),
})

export const clipAreaMetadataOperation = operation({
  id: 'clip.area.metadata',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read an area with its mosaic types.',
  input: AreaInput,
  output: Type.Object({ area: ClipArea }),
  problems: ['not-found'],
})

export const clipAreaMosaicsOperation = operation({
  id: 'clip.area.mosaics',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the mosaics of an area.',
  input: AreaInput,
  output: ListEnvelope('mosaics', Mosaic),
  problems: ['not-found'],
})

export const clipJobsListOperation = operation({
  id: 'clip.jobs.list',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the clip jobs of an organization, newest first.',
  input: StrictObject({
    organization_id: Uuid,
    status: OptionalNullable(ShortText),
    ...offsetPaging(),
  }),
  output: ListEnvelope('jobs', Job),
  paging: 'offset',
  problems: ['not-found'],
})

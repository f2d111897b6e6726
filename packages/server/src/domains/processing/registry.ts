import type { Process } from '@swath/contract/schemas/job.ts'
import { Problem } from '../../engine/problem.ts'
import { processesEula } from '../eulas/agreements.ts'
import { deriveId, isUuid } from '../../platform/ids.ts'
import type { ProcessDefinition } from './process-definition.ts'
import { bandMathProcess, spectralIndexProcess } from './processes/band-math.ts'
import { clipProcess } from './processes/clip.ts'
import { cloudMaskProcess } from './processes/cloud-mask.ts'
import { contoursProcess } from './processes/contours.ts'
import { convertProcess } from './processes/convert.ts'
import { compositeProcess, mosaicProcess } from './processes/mosaic.ts'
import { pansharpenProcess } from './processes/pansharpen.ts'
import { rasterizeProcess } from './processes/rasterize.ts'
import { reprojectProcess, resampleProcess } from './processes/reproject.ts'
import { sieveProcess } from './processes/sieve.ts'
import { terrainProcesses } from './processes/terrain.ts'
import { vectorizeProcess } from './processes/vectorize.ts'

/** Every process that can be executed. */
export const processRegistry: readonly ProcessDefinition[] = [
  clipProcess,
  reprojectProcess,
  resampleProcess,
  bandMathProcess,
  spectralIndexProcess,
  convertProcess,
  mosaicProcess,
  compositeProcess,
  cloudMaskProcess,
  ...terrainProcesses,
  sieveProcess,
  pansharpenProcess,
  rasterizeProcess,
  contoursProcess,
  vectorizeProcess,
]

const cogMediaType = 'image/tiff; application=geotiff; profile=cloud-optimized'
const priceUnit = 'megasample'

/** The id of the job type of a process: the same on every installation. */
export const deriveJobTypeId = (process_id: string): string => deriveId(`job-type:${process_id}`)

const processesById: ReadonlyMap<string, ProcessDefinition> = new Map(
  processRegistry.flatMap((entry) => [entry.id, ...(entry.aliases ?? [])].map((id) => [id, entry])),
)
const processesByJobType: ReadonlyMap<string, ProcessDefinition> = new Map(
  processRegistry.map((entry) => [deriveJobTypeId(entry.id), entry]),
)

/** The process with the id or alias; null if the public registry has none. */
export const findProcess = (id: string): ProcessDefinition | null => processesById.get(id) ?? null

/** Throws `not-found`. */
export function requireProcess(id: string): ProcessDefinition {
  const found = findProcess(id)
  if (found) return found
  throw new Problem('not-found', `No process has the id "${id.slice(0, 100)}". See \`processing.catalog.list\`.`)
}

/** The process of a job type. Throws `not-found`. */
export function requireJobType(id: string): ProcessDefinition {
  const found = isUuid(id) ? processesByJobType.get(id.toLowerCase()) : undefined
  if (found) return found
  throw new Problem('not-found', `No job type has the id "${id.slice(0, 100)}". See \`processing.job_types.list\`.`)
}

/** The JSON Schema of the inputs of a process. */
export const getProcessInputsSchema = ({ inputs }: ProcessDefinition): Record<string, unknown> =>
  JSON.parse(JSON.stringify(inputs)) as Record<string, unknown>

/** The representation of a process. */
export const toProcess = (definition: ProcessDefinition): Process => ({
  id: definition.id,
  title: definition.title,
  description: definition.description,
  version: definition.version,
  category: definition.category,
  inputs_schema: getProcessInputsSchema(definition),
  outputs: [{ name: 'item', media_type: definition.output_media_type ?? cogMediaType }],
  eulaId: processesEula.id,
  pricing: { credits: definition.credits_per_megasample, unit: priceUnit },
})

/** The representation of the job type of a process. */
export const toJobType = (definition: ProcessDefinition) => ({
  id: deriveJobTypeId(definition.id),
  name: definition.id,
  title: definition.title,
  description: definition.description,
  category: definition.category,
  process_id: definition.id,
  input_schema: getProcessInputsSchema(definition),
})

/** The price of results with so many samples: at least one credit. */
export function computeJobPrice(definition: ProcessDefinition, samples: number) {
  const size = samples / 1e6
  return { size, unit: priceUnit, credits: Math.max(1, Math.ceil(size * definition.credits_per_megasample)) }
}

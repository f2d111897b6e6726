import type { Process } from '@swath/contract/schemas/job.ts'
import { processesConformanceClasses, createProcessesLink, type ProcessesUrls } from './urls.ts'

export const toProcessesLandingPage = (urls: ProcessesUrls) => ({
  title: 'Swath',
  description: 'Processes on the imagery of an organization.',
  links: [
    createProcessesLink('self', urls.root),
    createProcessesLink('conformance', urls.conformance),
    createProcessesLink('http://www.opengis.net/def/rel/ogc/1.0/conformance', urls.conformance),
    createProcessesLink('http://www.opengis.net/def/rel/ogc/1.0/processes', urls.processes),
    createProcessesLink('processes', urls.processes),
    createProcessesLink('http://www.opengis.net/def/rel/ogc/1.0/job-list', urls.jobs),
    createProcessesLink('service-desc', `${urls.base}/openapi.json`, 'application/vnd.oai.openapi+json;version=3.1'),
    createProcessesLink('service-doc', `${urls.base}/docs`, 'text/html'),
  ],
})

export const toProcessesConformance = () => ({ conformsTo: processesConformanceClasses })

const toSummary = ({ id, title, description, version, category }: Process, urls: ProcessesUrls) => ({
  id,
  title,
  description,
  version,
  keywords: [category],
  jobControlOptions: ['async-execute', 'sync-execute', 'dismiss'],
  outputTransmission: ['reference'],
  links: [
    createProcessesLink('self', urls.process(id)),
    createProcessesLink('http://www.opengis.net/def/rel/ogc/1.0/execute', `${urls.process(id)}/execution`),
  ],
})

export const toProcessList = (processes: readonly Process[], urls: ProcessesUrls) => ({
  processes: processes.map((process) => toSummary(process, urls)),
  links: [createProcessesLink('self', urls.processes)],
})

interface JsonSchema {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly minItems?: number
  readonly maxItems?: number
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** A process description: each member of the schema of the inputs is an input. */
export const toProcessDescription = (process: Process, urls: ProcessesUrls) => ({
  ...toSummary(process, urls),
  inputs: toInputs(process.inputs_schema),
  outputs: {
    items: {
      title: 'Items',
      description: `STAC Features with cloud-optimized GeoTIFFs (${process.outputs.map(({ media_type }) => media_type).join(', ')}).`,
      schema: { type: 'array', items: { type: 'string', format: 'uri' } },
    },
  },
  additionalParameters: {
    parameters: [{ name: 'price', value: [{ credits: process.pricing.credits, unit: process.pricing.unit }] }],
  },
})

const toInputs = ({ properties = {}, required = [] }: ObjectSchema) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      {
        title: schema.title ?? name,
        description: schema.description ?? '',
        minOccurs: required.includes(name) ? 1 : 0,
        // A list is one value, an array.
        maxOccurs: 1,
        schema,
      },
    ]),
  )

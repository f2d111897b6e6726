import { listServiceDescriptions } from '../../../engine/service-descriptions.ts'
import type { Process } from '@swath/contract/schemas/job.ts'
import { toOpenapi30 } from '../openapi-30.ts'
import { listPageLinks, type PageParameters } from './page-parameters.ts'
import { processOutputName, processOutputSchemas } from './results.ts'
import { processesConformanceClasses, createProcessesLink, type ProcessesDialect, type ProcessesUrls } from './urls.ts'

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
    ...listServiceDescriptions(urls.base, 'processes').map(({ href, type }) =>
      createProcessesLink('service-desc', href, type),
    ),
    createProcessesLink('service-doc', `${urls.base}/docs`, 'text/html'),
  ],
})

export const toProcessesConformance = () => ({ conformsTo: processesConformanceClasses })

const toSummary = (
  { id, title, description, version, category }: Process,
  urls: ProcessesUrls,
  dialect: ProcessesDialect,
) => ({
  id,
  title,
  description,
  version,
  keywords: [category],
  jobControlOptions: ['async-execute', 'sync-execute', 'dismiss'],
  outputTransmission: dialect === 'ogc' ? ['value', 'reference'] : ['reference'],
  links: [
    createProcessesLink('self', urls.process(id)),
    createProcessesLink('http://www.opengis.net/def/rel/ogc/1.0/execute', `${urls.process(id)}/execution`),
  ],
})

export const toProcessList = (
  processes: readonly Process[],
  paging: PageParameters | null,
  urls: ProcessesUrls,
  dialect: ProcessesDialect,
) => ({
  processes: (paging === null
    ? processes
    : processes.slice(paging.page * paging.limit, (paging.page + 1) * paging.limit)
  ).map((process) => toSummary(process, urls, dialect)),
  links:
    paging === null
      ? [createProcessesLink('self', urls.processes)]
      : listPageLinks(urls.processes, [], { ...paging, total: processes.length }),
})

interface JsonSchema {
  readonly title?: string
  readonly description?: string
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** A process description: each member of the schema of the inputs is an input. Clients of the older dialect read the licence agreement. */
export const toProcessDescription = (process: Process, urls: ProcessesUrls, dialect: ProcessesDialect) => ({
  ...toSummary(process, urls, dialect),
  inputs: toInputs(process.inputs_schema),
  outputs: {
    [processOutputName]: {
      title: 'Items',
      description: `STAC Features with cloud-optimized GeoTIFFs (${process.outputs.map(({ media_type }) => media_type).join(', ')}).`,
      schema: processOutputSchemas[dialect],
    },
  },
  additionalParameters: {
    parameters: [
      { name: 'price', value: [{ credits: process.pricing.credits, unit: process.pricing.unit }] },
      ...(dialect === 'v2' ? [{ name: 'eula-id', value: [process.eulaId] }] : []),
    ],
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
        // Descriptions of version 1.0 have the schema object of OpenAPI 3.0 (`schema.yaml`).
        schema: toOpenapi30(schema),
      },
    ]),
  )

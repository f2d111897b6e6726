import type { Job, JobResultForm } from '@swath/contract/schemas/job.ts'
import type { ProcessesDialect, ProcessesUrls } from './urls.ts'

/** The one output of every process: the items that were written, as a collection of STAC Features. */
export const processOutputName = 'items'
export const processOutputMediaType = 'application/geo+json'

/** The schema of the output, with the keywords of `schema.yaml` of OGC 18-062r2: its value, or the references of the older dialect. */
export const processOutputSchemas = {
  ogc: {
    type: 'object',
    contentMediaType: processOutputMediaType,
    required: ['type', 'features'],
    properties: {
      type: { type: 'string', enum: ['FeatureCollection'] },
      features: { type: 'array', items: { type: 'object' } },
    },
  },
  v2: { type: 'array', items: { type: 'string', format: 'uri' } },
} as const satisfies Readonly<Record<ProcessesDialect, object>>

/** An answer with results. */
export interface JobResults {
  readonly media_type: string
  /** Null if the results are only referenced by headers. */
  readonly body: unknown
  /** Values of the header `Link`. */
  readonly links: readonly string[]
}

const json = { media_type: 'application/json', links: [] }

/** Raw results are the output itself; those of a document are under its name (OGC 18-062r2, table 11). */
const resultsByForm: Readonly<
  Record<JobResultForm, (features: readonly object[], hrefs: readonly string[]) => JobResults>
> = {
  'raw-value': (features) => ({
    media_type: processOutputMediaType,
    body: { type: 'FeatureCollection', features },
    links: [],
  }),
  'raw-reference': (_features, hrefs) => ({
    ...json,
    body: null,
    links: hrefs.map((href) => `<${href}>; rel="item"; type="${processOutputMediaType}"`),
  }),
  'document-value': (features) => ({
    ...json,
    body: {
      [processOutputName]: { value: { type: 'FeatureCollection', features }, mediaType: processOutputMediaType },
    },
  }),
  'document-reference': (_features, hrefs) => ({
    ...json,
    body: { [processOutputName]: hrefs.map((href) => ({ href, type: processOutputMediaType })) },
  }),
}

/**
 * The results of a completed job.
 *
 * @param features its items, if they are asked for by value.
 */
export const toJobResults = (
  form: JobResultForm,
  job: Job,
  features: readonly object[],
  urls: ProcessesUrls,
): JobResults =>
  resultsByForm[form](
    features,
    job.item_ids.map((id) => urls.item(id)),
  )

/** The form of the results of a job: a document of references, if this interface did not create the job. */
export const getResultForm = ({ result_form }: Job, dialect: ProcessesDialect): JobResultForm =>
  (dialect === 'ogc' ? result_form : null) ?? 'document-reference'

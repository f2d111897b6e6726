import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import type { Job } from '@swath/client/operations.ts'
import { isUuid } from '../../../api/is-uuid.ts'
import { max_sources, type AnalyseChoices } from '../state/analyse-url.ts'

/** The items of an input are ids, or the URLs of their STAC Features, which end with the id. */
const readId = (value: unknown): string | null => {
  const last = typeof value === 'string' ? value.split('/').at(-1)! : ''
  return isUuid(last) ? last : null
}

const isItemName = (name: string): boolean => /(^|_)items?(_ids?)?$/.test(name)

/** The ids of the items that a job reads, in their order. */
export function listSourceIds(inputs: Job['input_params']): string[] {
  const found = Object.entries(inputs)
    .filter(([name]) => isItemName(name))
    .flatMap(([, value]) => [value].flat())
    .flatMap((value) => readId(value) ?? [])
  return [...new Set(found)].slice(0, max_sources)
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The choices of a form that would run a job again. */
export function toChoices({ input_params, project_id }: Pick<Job, 'input_params' | 'project_id'>): AnalyseChoices {
  const others = Object.entries(input_params).filter(
    ([name, value]) => !isItemName(name) && name !== 'geometry' && value !== null && value !== undefined,
  )
  return {
    items: listSourceIds(input_params),
    area: validateAreaGeometry(input_params['geometry']).geometry,
    project: project_id,
    values: Object.fromEntries(others.map(([name, value]) => [name, toText(value)])),
  }
}

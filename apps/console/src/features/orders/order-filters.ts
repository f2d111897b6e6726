import type { InputOf } from '@swath/client/operations.ts'
import { readUrlText } from '../../api/read-text.ts'
import { statusGroups, type StatusGroup } from './order-states.ts'

export const page_size = 20

/** The filters of the list, as they stand in the URL. */
export interface OrderFilters {
  readonly status?: StatusGroup
  readonly project?: string
  /** Part of the name. */
  readonly name?: string
  /** Counted from zero; left out for the first. */
  readonly page?: number
}

const isGroup = (value: unknown): value is StatusGroup =>
  typeof value === 'string' && Object.hasOwn(statusGroups, value)

/** Reads filters from the query parameters; anything that is not a filter is ignored. */
export function parseOrderFilters({ status, page, ...texts }: Readonly<Record<string, unknown>>): OrderFilters {
  const [project, name] = [readUrlText(texts['project']), readUrlText(texts['name'])]
  return {
    ...(isGroup(status) ? { status } : {}),
    ...(project ? { project } : {}),
    ...(name ? { name } : {}),
    ...(Number.isInteger(page) && Number(page) > 0 ? { page: Number(page) } : {}),
  }
}

/** The input of `orders.list`. */
export const toListInput = ({ status, project, name, page }: OrderFilters): InputOf<'orders.list'> => ({
  size: page_size,
  page: page ?? 0,
  ...(status ? { status: statusGroups[status].join(',') } : {}),
  ...(project ? { workspaceId: project } : {}),
  ...(name ? { displayName: name } : {}),
})

export const isFiltered = ({ status, project, name }: OrderFilters): boolean => Boolean(status ?? project ?? name)

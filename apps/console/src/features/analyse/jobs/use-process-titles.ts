import { useOperation } from '../../../api/use-operation.ts'

/** The title of a process; its id where it is not in the catalogue, such as the clip of an area. */
export function useProcessTitles(): (process_id: string) => string {
  const { data } = useOperation('processing.catalog.list', {})
  const titles = new Map(data?.processes.map(({ id, title }) => [id, title]))
  return (process_id) => titles.get(process_id) ?? process_id
}

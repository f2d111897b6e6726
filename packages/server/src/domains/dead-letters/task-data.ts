type TaskData = Readonly<Record<string, unknown>>

/** The organization of a task by its data; null if it belongs to none. */
export const findQueueTaskOrganizationId = (data: TaskData): string | null =>
  typeof data['organization_id'] === 'string' ? data['organization_id'] : null

/** The first id in the data of a task but that of the organization, and nothing else; null if there is none. */
export function findQueueTaskSubjectId(data: TaskData): string | null {
  const [, id] = Object.entries(data).find(([name]) => name.endsWith('_id') && name !== 'organization_id') ?? []
  return typeof id === 'string' ? id : null
}

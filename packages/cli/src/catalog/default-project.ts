import type { Client } from '@swath/client/client.ts'
import { CommandFailure } from '../failures.ts'

/** The oldest project that the caller sees, which is where the platform delivers without a project, too. */
export async function findDefaultProject(client: Client): Promise<string> {
  const { projects } = await client.call('projects.list', { limit: 500 })
  const [oldest] = projects.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  if (!oldest) throw new CommandFailure('notFound', 'You are in no project: swath projects create --name NAME')
  return oldest.id
}

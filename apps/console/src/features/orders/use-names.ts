import { useOperation } from '../../api/use-operation.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { ordersTexts } from '../../texts/orders.ts'

export interface Names {
  /** The name of a person; `Swath` for the platform itself. */
  readonly person: (id: string | null) => string
  readonly project: (id: string) => string
}

const short_id_length = 8

/** Names of people and projects, as far as the person may see them. */
export function useNames(): Names {
  const me = usePrincipal().data?.user
  const role = usePrincipal().data?.organization?.role
  const members = useOperation('organizations.members.list', {}, { enabled: role === 'owner' || role === 'admin' })
  const projects = useOperation('projects.list', {})
  return {
    person: (id) => {
      if (id === null) return ordersTexts.platform
      if (me && id.endsWith(me.id)) return ordersTexts.you
      const member = members.data?.members.find(({ user_id }) => id.endsWith(user_id))
      return member?.name ?? member?.email ?? ordersTexts.colleague
    },
    project: (id) => projects.data?.projects.find((project) => project.id === id)?.name ?? id.slice(0, short_id_length),
  }
}

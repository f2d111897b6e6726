import { manifest, type OperationId } from '@swath/client/operations.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import type { PaletteCommand } from './match-commands.ts'

/** A place with a name. */
export interface PalettePlace {
  readonly path: string
  readonly label: string
}

const { places: names } = texts.palette
const morePlaces: readonly PalettePlace[] = [
  { path: '/library/uploads', label: names.uploads },
  { path: '/analyse/jobs', label: texts.analyse.jobs },
  { path: '/money/journal', label: names.journal },
  { path: '/money/cards', label: names.cards },
  { path: '/money/members', label: names.members },
  { path: '/money/invoices', label: names.invoices },
  { path: '/money/approvals', label: names.approvals },
  { path: '/money/commitments', label: names.commitments },
  { path: '/library/deleted', label: names.deleted },
  { path: '/build/tiles', label: names.tiles },
  { path: '/build/webhooks', label: texts.webhooks.title },
  { path: '/build/api', label: names.api },
  { path: '/build/events', label: names.events },
]

const readOperations = (Object.keys(manifest) as OperationId[]).filter((id) => manifest[id][0] === 'read')

/** Goes to an address of the console; the map stays where it is. */
export type GoTo = (path: string, search?: Readonly<Record<string, string>>) => void

export function useGoTo(): GoTo {
  const navigate = useNavigate()
  return useMemo(
    () => (path, search) =>
      void navigate({ to: path, search: (previous: { v?: string }) => ({ ...keepView(previous), ...search }) }),
    [navigate],
  )
}

/** The commands that are there without asking the platform: every place, and every operation that only reads. */
export function useFixedCommands(places: readonly PalettePlace[], goTo: GoTo): readonly PaletteCommand[] {
  return useMemo(
    () => [
      ...[...places, ...morePlaces].map(({ path, label }): PaletteCommand => ({
        id: path,
        group: 'go',
        label,
        run: () => goTo(path),
      })),
      { id: '/docs', group: 'go', label: names.docs, run: () => location.assign('/docs') },
      ...readOperations.map((operation): PaletteCommand => ({
        id: `run ${operation}`,
        group: 'run',
        label: operation,
        run: () => goTo('/build/api', { operation }),
      })),
    ],
    [places, goTo],
  )
}

import { manifest, type OperationId } from '@swath/client/operations.ts'
import { useMemo } from 'react'
import type { GoTo } from '../../map/use-go-to.ts'
import { texts } from '../../texts.ts'
import type { PaletteCommand } from './match-commands.ts'
import { morePlaces, operatorPlaces, type PalettePlace } from './more-places.ts'

const { places: names } = texts.palette

const readOperations = (Object.keys(manifest) as OperationId[]).filter((id) => manifest[id][0] === 'read')

/** The rail has this place for operators only. */
const isOperator = (places: readonly PalettePlace[]): boolean => places.some(({ path }) => path === '/admin')

/** The commands that are there without asking the platform: every place, and every operation that only reads. */
export function useFixedCommands(places: readonly PalettePlace[], goTo: GoTo): readonly PaletteCommand[] {
  return useMemo(
    () => [
      ...[...places, ...morePlaces, ...(isOperator(places) ? operatorPlaces : [])].map(
        ({ path, label }): PaletteCommand => ({
          id: path,
          group: 'go',
          label,
          run: () => goTo(path),
        }),
      ),
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

import { useOperation } from '../../../api/use-operation.ts'

export interface NamedColormap {
  readonly name: string
  readonly kind: string
  readonly colors: readonly string[]
}

const grey: readonly string[] = ['#000000', '#ffffff']
const reverse_suffix = /_r$/i

/** The colormaps of the platform. */
export function useColormaps(): readonly NamedColormap[] {
  return useOperation('cog.colormaps', {}).data?.colormaps ?? []
}

export const isReversed = (name: string): boolean => reverse_suffix.test(name)
export const plainName = (name: string): string => name.replace(reverse_suffix, '')

/** The colours of a colormap from low to high; grey without one, null for one that is not in the list. */
export function findColours(colormaps: readonly NamedColormap[], name: string | null): readonly string[] | null {
  if (name === null) return grey
  const plain = plainName(name).toLowerCase()
  const colours = colormaps.find((candidate) => candidate.name.toLowerCase() === plain)?.colors
  if (!colours) return null
  return isReversed(name) ? colours.toReversed() : colours
}

export const toGradient = (colours: readonly string[]): string => `linear-gradient(to right, ${colours.join(', ')})`

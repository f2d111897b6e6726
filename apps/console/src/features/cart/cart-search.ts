import { readUrlText } from '../../api/read-text.ts'

/** The query parameters of the cart's URL. */
export interface CartSearch {
  /** The project of the delivery; the first one by default. */
  readonly project?: string
  /** The standard licence by default. */
  readonly licence?: string
  /** Scenes of one date are priced together. */
  readonly split?: true
  /** Leaves out the parts that the organization owns already. */
  readonly missing?: true
}

/** Members of the URL to change; undefined removes one. */
export type CartChange = { readonly [Name in keyof CartSearch]?: CartSearch[Name] | undefined }

export function parseCartSearch(search: Readonly<Record<string, unknown>>): CartSearch {
  const [project, licence] = [readUrlText(search['project']), readUrlText(search['licence'])]
  return {
    ...(project ? { project } : {}),
    ...(licence ? { licence } : {}),
    ...(search['split'] === true ? { split: true } : {}),
    ...(search['missing'] === true ? { missing: true } : {}),
  }
}

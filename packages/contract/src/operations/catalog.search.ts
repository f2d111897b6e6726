import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { nextTokenPaging, ListEnvelope, offsetPaging } from '../paging.ts'
import { catalogSearchProblems } from '../problems.ts'
import {
  catalogFilterFields,
  CatalogSearchResult,
  CatalogSourceId,
  CatalogSearchFilters,
  optionalCatalogNamesField,
  SavedSearch,
} from '../schemas/catalog.ts'
import {
  StrictObject,
  OptionalNullable,
  Uuid,
  WithDefault,
  WithDescription,
  OkResultWithId,
} from '../schemas/primitives.ts'

export const catalogSearchOperation = operation({
  id: 'catalog.search',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search the catalogue of one host; scenes for sale include their price.',
  input: StrictObject({ host_name: CatalogSourceId, ...catalogFilterFields, ...nextTokenPaging() }),
  output: CatalogSearchResult,
  paging: 'token',
  problems: catalogSearchProblems,
})

export const catalogSearchSaveOperation = operation({
  id: 'catalog.search.save',
  scope: 'catalog:write',
  effect: 'compute',
  summary: 'Save a search of the catalogue; new scenes are looked for and announced as an event.',
  input: StrictObject({
    name: Type.String({
      minLength: 1,
      maxLength: limits.max_name_length,
      description: 'Name of the search; unique in its project.',
    }),
    project_id: WithDescription(
      'The project whose members see the search; defaults to the oldest project of the caller.',
      OptionalNullable(Uuid),
    ),
    source_ids: WithDescription('Only these sources; defaults to all.', optionalCatalogNamesField),
    filters: WithDescription('The filters of `catalog.search`.', CatalogSearchFilters),
    notify: WithDefault(Type.Boolean({ description: 'Look for new scenes and announce them.' }), true),
  }),
  output: SavedSearch,
  status: 201,
  problems: ['not-found', 'not-a-member', 'invalid-state', 'name-taken', 'conflicting-parameters', 'upstream'],
  extension: true,
})

export const catalogSearchListOperation = operation({
  id: 'catalog.search.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the saved searches of the projects of the caller, newest first.',
  input: StrictObject({
    project_id: WithDescription('Only searches of this project.', OptionalNullable(Uuid)),
    ...offsetPaging(limits.short_offset_limit),
  }),
  output: ListEnvelope('searches', SavedSearch),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const catalogSearchDeleteOperation = operation({
  id: 'catalog.search.delete',
  scope: 'catalog:write',
  effect: 'destructive',
  summary: 'Delete a saved search; standing orders that follow it are suspended.',
  input: StrictObject({ search_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['saved_search.deleted'],
  extension: true,
})

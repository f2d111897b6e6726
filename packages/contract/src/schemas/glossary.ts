import Type from 'typebox'
import { Nullable, AnyObject, Timestamp } from './primitives.ts'

/** A producer, vendor or host of imagery. */
export const GlossaryProvider = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  roles: Type.Array(Type.String()),
  createdAt: Timestamp,
})

/** A product that can be ordered from a collection. */
export const GlossaryDataProduct = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  collection: Type.String(),
  eulaId: Nullable(Type.String()),
  metadata: AnyObject,
  createdAt: Timestamp,
})

/** A collection that a host offers; not a collection of items. */
export const GlossaryCollection = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  type: Type.String({ description: 'Collection type, such as `ARCHIVE` or `TASKING`.' }),
  integrations: Type.Array(Type.String()),
  providers: Type.Array(Type.Omit(GlossaryProvider, ['createdAt'])),
  dataProducts: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      title: Type.String(),
      description: Type.String(),
      eulaId: Nullable(Type.String()),
    }),
  ),
  metadata: AnyObject,
  createdAt: Timestamp,
})

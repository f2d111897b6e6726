import Type from 'typebox'
import { Nullable, Open, Timestamp } from './primitives.ts'

/** Who makes, sells or hosts imagery. */
export const GlossaryProvider = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  roles: Type.Array(Type.String()),
  createdAt: Timestamp,
})

/** What can be ordered of a collection. */
export const GlossaryDataProduct = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  collection: Type.String(),
  eulaId: Nullable(Type.String()),
  metadata: Open,
  createdAt: Timestamp,
})

/** A host's product; not a collection of items. */
export const GlossaryCollection = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  type: Type.String({ description: 'Such as `ARCHIVE` or `TASKING`.' }),
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
  metadata: Open,
  createdAt: Timestamp,
})

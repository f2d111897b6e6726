/** The prefix in blob storage of the files of an item. */
export const getItemFolder = (organization: string, item: string): string =>
  `organizations/${organization}/items/${item}`

import { type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';

/** Returns the schema of an object with a title, which the API reference shows as its name. */
export const titled = <Properties extends TProperties>(title: string, properties: Properties) =>
  Type.Object(properties, { title });
export const listOf = <Properties extends TProperties>(title: string, properties: Properties) =>
  Type.Array(titled(title, properties));
export const text = (description: string) => Type.String({ description });
export const optionalText = (description: string) => Type.Optional(text(description));
export const optionalFlag = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, description }));
export const nullable = <Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options);

export const Count = Type.Integer({ minimum: 0 });
export const Url = Type.String({ format: 'uri' });
export const DateTime = Type.String({ format: 'date-time' });

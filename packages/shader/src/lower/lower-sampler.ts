/** Texture slots of the samplers that expressions name. */
import { elementsOf, samplerCount } from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import type { Lowering, SamplerPlace } from './lowering.ts';

/** Returns the samplers that `expression` names. */
export function lowerSampler(lowering: Lowering, expression: Expression): SamplerPlace {
  switch (expression.kind) {
    case 'variable': {
      const known = lowering.samplers.get(expression.variable);
      if (known === undefined) throw new Error(`${expression.variable.name} is not a sampler`);
      return known;
    }
    case 'field': {
      const object = lowerSampler(lowering, expression.object);
      if (object.type.kind !== 'struct')
        throw new Error('a field is selected from a value that is not a struct');
      const skipped = object.type.fields
        .slice(0, expression.fieldIndex)
        .reduce((sum, field) => sum + samplerCount(field.type), 0);
      return { ...object, firstSlot: object.firstSlot + skipped, type: expression.type };
    }
    case 'index': {
      const object = lowerSampler(lowering, expression.object);
      const { element, count } = elementsOf(object.type);
      const stride = samplerCount(element);
      const constant = expression.index.constant?.[0];
      if (constant !== undefined) {
        const inside = Math.min(Math.max(constant, 0), count - 1);
        return { ...object, firstSlot: object.firstSlot + inside * stride, type: element };
      }
      const index = lowering.lowerScalar(expression.index);
      return { ...object, type: element, computed: [...object.computed, { index, stride, count }] };
    }
    default:
      throw new Error(`${expression.kind} does not name a sampler`);
  }
}
